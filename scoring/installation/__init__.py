"""All clubs of an installation: founding, sizes, deleting, tidying up."""
