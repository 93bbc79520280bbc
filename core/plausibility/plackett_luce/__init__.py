"""Plackett–Luce: likelihood of differentials, its maximum, and its posterior by Gibbs sampling."""
