"""The language server: findings, hovers, lenses and derivatives in the editor."""
