"""How many raters and cases a wanted quality takes."""
