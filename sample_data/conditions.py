"""The forty conditions of the dermatology-like sample: risk, where, at what age, and what looks like what."""

from __future__ import annotations

from typing import NamedTuple

SITES = ("scalp", "face", "trunk", "arm", "hand", "leg", "foot")
AGES = ("under 18", "18 to 39", "40 to 64", "65 and over")


class Condition(NamedTuple):
    """One condition.

    Attributes
    ----------
    risk : int
        0 low, 1 medium, 2 high, as in the public dermatology release.
    family : str
        ``growth``, ``rash``, ``pigment`` or ``hair``: conditions of one family are hardly taken for others.
    sites : str
        Body sites where it is usual.
    ages : tuple of 4 ints
        How usual it is in each age group.
    prevalence : float
        Relative frequency among the cases.
    sun : bool
        Whether it comes of sun on fair skin.
    """

    risk: int
    family: str
    sites: str
    ages: tuple[int, int, int, int]
    prevalence: float
    sun: bool = False


CONDITIONS: dict[str, Condition] = {
    "Acne": Condition(0, "rash", "face trunk", (6, 5, 1, 0), 8),
    "Actinic Keratosis": Condition(1, "growth", "scalp face arm hand", (0, 0, 3, 6), 4, sun=True),
    "Allergic Contact Dermatitis": Condition(1, "rash", "face trunk arm hand leg foot", (2, 4, 4, 2), 5),
    "Alopecia Areata": Condition(0, "hair", "scalp", (4, 4, 2, 1), 3),
    "Angiokeratoma of skin": Condition(0, "growth", "trunk leg", (0, 2, 4, 3), 1),
    "Atypical Nevus": Condition(1, "growth", "face trunk arm leg", (1, 5, 4, 2), 3),
    "Basal Cell Carcinoma": Condition(2, "growth", "scalp face trunk arm", (0, 1, 4, 6), 5, sun=True),
    "Cellulitis": Condition(2, "rash", "face arm hand leg foot", (1, 2, 4, 4), 2),
    "Cutaneous T Cell Lymphoma": Condition(2, "rash", "trunk leg", (0, 1, 4, 4), 1),
    "Cyst": Condition(0, "growth", "scalp face trunk", (1, 4, 4, 2), 3),
    "Dermatofibroma": Condition(0, "growth", "arm leg", (0, 4, 4, 1), 3),
    "Drug Rash": Condition(1, "rash", "trunk arm leg", (2, 3, 4, 4), 2),
    "Eczema": Condition(1, "rash", "face trunk arm hand leg foot", (5, 4, 3, 3), 12),
    "Folliculitis": Condition(0, "rash", "scalp face trunk leg", (2, 5, 3, 1), 4),
    "Hemangioma": Condition(1, "growth", "face trunk arm", (3, 2, 4, 4), 3),
    "Herpes Zoster": Condition(2, "rash", "face trunk", (0, 1, 4, 6), 1.5),
    "Insect Bite": Condition(0, "rash", "arm hand leg foot", (5, 4, 3, 2), 3),
    "Lentigo": Condition(0, "growth", "face arm hand", (0, 1, 4, 6), 2, sun=True),
    "Lichen planus/lichenoid eruption": Condition(1, "rash", "trunk arm hand leg", (1, 3, 4, 3), 3),
    "Melanocytic Nevus": Condition(0, "growth", "scalp face trunk arm leg foot", (4, 5, 3, 1), 6),
    "Melanoma": Condition(2, "growth", "scalp face trunk arm leg foot", (0, 2, 4, 5), 3, sun=True),
    "Melasma": Condition(0, "pigment", "face", (0, 5, 4, 0), 2),
    "O/E - ecchymoses present": Condition(0, "growth", "arm hand leg foot", (1, 1, 2, 5), 1),
    "Perioral Dermatitis": Condition(0, "rash", "face", (2, 5, 2, 0), 2),
    "Pityriasis rosea": Condition(0, "rash", "trunk arm", (3, 5, 1, 0), 2.5),
    "Post-Inflammatory hyperpigmentation": Condition(0, "pigment", "face trunk arm leg", (2, 5, 3, 1), 3),
    "Psoriasis": Condition(1, "rash", "scalp trunk arm hand leg", (1, 4, 4, 3), 8),
    "Pyogenic granuloma": Condition(0, "growth", "scalp face arm hand", (4, 4, 2, 1), 2),
    "Rosacea": Condition(0, "rash", "face", (0, 2, 5, 3), 4),
    "SCC/SCCIS": Condition(2, "growth", "scalp face arm hand leg", (0, 0, 3, 6), 4, sun=True),
    "SK/ISK": Condition(0, "growth", "scalp face trunk arm", (0, 0, 4, 6), 6),
    "Scabies": Condition(2, "rash", "trunk hand foot", (4, 3, 2, 3), 2),
    "Seborrheic Dermatitis": Condition(0, "rash", "scalp face trunk", (2, 3, 4, 3), 4),
    "Skin Tag": Condition(0, "growth", "face trunk", (0, 2, 5, 4), 2.5),
    "Stasis Dermatitis": Condition(1, "rash", "leg foot", (0, 0, 3, 6), 2.5),
    "Tinea": Condition(1, "rash", "scalp trunk arm hand leg foot", (4, 4, 3, 2), 5),
    "Tinea Versicolor": Condition(0, "pigment", "trunk arm", (2, 6, 2, 0), 3),
    "Urticaria": Condition(2, "rash", "trunk arm leg", (3, 4, 3, 2), 3),
    "Verruca vulgaris": Condition(0, "growth", "face arm hand leg foot", (6, 3, 2, 1), 4),
    "Vitiligo": Condition(0, "pigment", "face trunk arm hand", (3, 4, 3, 1), 3),
}
"""In alphabetical order, which is the label order of the sample and decides every tie."""

SPELT_OUT = {
    "Alopecia Areata": "Patchy hair loss",
    "Basal Cell Carcinoma": "A skin cancer, BCC",
    "Cutaneous T Cell Lymphoma": "Such as mycosis fungoides, CTCL",
    "Hemangioma": "Haemangioma, a growth of blood vessels",
    "Herpes Zoster": "Shingles",
    "Melanocytic Nevus": "Mole",
    "Melanoma": "Malignant melanoma, MM, a skin cancer",
    "Melasma": "Chloasma",
    "O/E - ecchymoses present": "Bruising seen on examination",
    "SCC/SCCIS": "Squamous cell carcinoma, in situ included; a skin cancer",
    "SK/ISK": "Seborrheic keratosis, irritated ones included",
    "Tinea": "Ringworm, a fungal infection",
    "Tinea Versicolor": "Pityriasis versicolor, a fungal infection",
    "Urticaria": "Hives, wheals",
    "Verruca vulgaris": "Common wart",
}

SETTLED_BY = {
    "Basal Cell Carcinoma": "biopsy",
    "Cellulitis": "clinical course and blood tests",
    "Cutaneous T Cell Lymphoma": "biopsy",
    "Herpes Zoster": "PCR swab",
    "Melanoma": "biopsy",
    "SCC/SCCIS": "biopsy",
    "Scabies": "dermoscopy or skin scraping",
    "Urticaria": "clinical course",
}
"""What commonly settles whether a condition of high risk is the truth: examples, not medical advice."""

LOOK_ALIKES: tuple[tuple[float, tuple[str, ...]], ...] = (
    # Pigmented and vascular lesions
    (3.0, ("Melanocytic Nevus", "Atypical Nevus", "Melanoma")),
    (1.5, ("Melanocytic Nevus", "Lentigo", "SK/ISK", "Melanoma")),
    (3.0, ("Hemangioma", "Angiokeratoma of skin", "Pyogenic granuloma")),
    (0.8, ("Hemangioma", "Angiokeratoma of skin", "O/E - ecchymoses present")),
    (1.0, ("Pyogenic granuloma", "Melanoma", "Hemangioma")),
    (0.7, ("Hemangioma", "Melanocytic Nevus", "Skin Tag")),
    (0.7, ("O/E - ecchymoses present", "Melanoma", "Melanocytic Nevus")),
    # Keratoses, carcinomas, other bumps
    (2.0, ("Basal Cell Carcinoma", "SCC/SCCIS", "Actinic Keratosis", "SK/ISK")),
    (1.5, ("Actinic Keratosis", "SCC/SCCIS")),
    (0.6, ("Basal Cell Carcinoma", "Melanocytic Nevus", "Cyst")),
    (0.5, ("Basal Cell Carcinoma", "SCC/SCCIS", "Melanoma", "Pyogenic granuloma")),
    (0.5, ("Actinic Keratosis", "Lentigo", "SK/ISK")),
    (1.5, ("Verruca vulgaris", "SK/ISK", "SCC/SCCIS")),
    (1.0, ("Verruca vulgaris", "Skin Tag", "Melanocytic Nevus")),
    (1.0, ("Dermatofibroma", "Melanocytic Nevus", "Melanoma")),
    (1.5, ("Dermatofibroma", "Cyst")),
    # Eczematous, scaly and ring-shaped rashes
    (2.5, ("Eczema", "Psoriasis", "Tinea")),
    (3.0, ("Eczema", "Allergic Contact Dermatitis")),
    (1.5, ("Eczema", "Psoriasis", "Seborrheic Dermatitis")),
    (0.6, ("Eczema", "Psoriasis", "Cutaneous T Cell Lymphoma")),
    (0.8, ("Eczema", "Psoriasis", "Lichen planus/lichenoid eruption")),
    (0.8, ("Eczema", "Drug Rash", "Lichen planus/lichenoid eruption")),
    (0.8, ("Eczema", "Scabies", "Insect Bite")),
    (1.5, ("Pityriasis rosea", "Tinea", "Psoriasis", "Drug Rash")),
    (2.0, ("Stasis Dermatitis", "Cellulitis", "Eczema")),
    # Faces, follicles, wheals and blisters
    (2.5, ("Acne", "Rosacea", "Perioral Dermatitis")),
    (3.0, ("Acne", "Folliculitis")),
    (1.5, ("Rosacea", "Seborrheic Dermatitis")),
    (0.7, ("Perioral Dermatitis", "Allergic Contact Dermatitis")),
    (2.5, ("Urticaria", "Insect Bite", "Drug Rash")),
    (1.0, ("Scabies", "Insect Bite", "Folliculitis")),
    (1.5, ("Herpes Zoster", "Allergic Contact Dermatitis", "Cellulitis", "Insect Bite")),
    # Colour and hair
    (2.0, ("Vitiligo", "Tinea Versicolor")),
    (0.7, ("Pityriasis rosea", "Tinea Versicolor")),
    (1.0, ("Post-Inflammatory hyperpigmentation", "Tinea Versicolor")),
    (2.0, ("Melasma", "Post-Inflammatory hyperpigmentation", "Lentigo")),
    (0.5, ("Post-Inflammatory hyperpigmentation", "Lichen planus/lichenoid eruption", "Eczema")),
    (2.0, ("Alopecia Areata", "Tinea", "Seborrheic Dermatitis")),
)
"""Sets of conditions that are taken for one another, each with a weight."""
