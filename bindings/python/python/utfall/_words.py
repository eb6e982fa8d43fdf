"""Words for representations."""


def count(number: int, unit: str) -> str:
    """A number with its unit: "3 files", "1 file"."""
    return f"{number} {unit}{'' if number == 1 else 's'}"
