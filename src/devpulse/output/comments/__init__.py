"""What a review says on a pull request: planned here as data, applied by an adapter."""
