"""Many games at once on an NVIDIA GPU, by the same verbs as on a CPU."""
