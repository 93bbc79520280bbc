"""Study: what is loaded, what deserves a look, and how certain its truth is."""
