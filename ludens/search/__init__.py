"""Finding moves by looking ahead: kernels written once over the verbs, one algorithm a file."""
