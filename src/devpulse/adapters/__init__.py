"""Everything that touches the world: git, files, GitHub, the model. One outside system a module."""
