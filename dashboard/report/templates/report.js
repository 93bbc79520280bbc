(async () => {
  "use strict";
  // Without scripts, or where a browser cannot unpack, the still pictures stay.
  const packed = Uint8Array.from(atob(document.getElementById("live").textContent), (one) => one.charCodeAt(0));
  const unpacked = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
  const { vega, specs } = await unpacked.json();
  const script = document.createElement("script");
  script.textContent = vega;
  document.head.append(script);
  const draw = async (place) => {
    try {
      await window.vegaEmbed(place, specs[place.id], {actions: false, renderer: "svg", logLevel: 1});
      place.querySelector("svg")?.setAttribute("aria-hidden", "true");
      place.hidden = false;
      place.previousElementSibling.classList.add("replaced");
    } catch {
      place.replaceChildren();
    }
  };
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      seen.unobserve(entry.target);
      draw(entry.target.querySelector(".live"));
    }
  }, {rootMargin: "400px"});
  for (const place of document.querySelectorAll(".picture > .live")) seen.observe(place.parentElement);
})();
