"""How hard an English text is to read: the school grade of Flesch and Kincaid (1975)."""

import re

_SILENT = re.compile(r"(?:[^laeiouy]es|[^laeiouytd]ed|[^laeiouy]e)$")


def count_syllables(word):
    """Count the groups of vowels, less an ending that is not spoken; every word has one.

    >>> [count_syllables(word) for word in ("chance", "disguises", "answered", "device", "people")]
    [1, 3, 2, 2, 2]
    """
    word = word.lower()
    spoken = _SILENT.sub("", word) if len(word) > 3 and not word.endswith("ses") else word
    return max(1, len(re.findall(r"[aeiouy]+", spoken)))


def grade(text):
    """The grade 0.39·words/sentences + 11.8·syllables/words − 15.59."""
    sentences = [each for each in re.split(r"[.!?](?:\s|$)", text) if re.search(r"\w", each)]
    words = re.findall(r"[A-Za-z']+", text)
    syllables = sum(map(count_syllables, words))
    return 0.39 * len(words) / len(sentences) + 11.8 * syllables / len(words) - 15.59
