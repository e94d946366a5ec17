"""The figures, each as a ratio to a floor measured in the same run."""
