"""The environments: thin skins over ``cardenv.table`` that know no rule."""
