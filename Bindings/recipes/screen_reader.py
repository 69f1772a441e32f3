"""A program around the recipe for screen readers in Docs/Integrating.md: it speaks three sentences."""


def say(sentence: str) -> None:
    print("says:", sentence, flush=True)
    input()


# recipe
from audiosession import Session

speech = Session.duck()


def speak_all(sentences):
    with speech:  # once for all of them: music does not rise between two sentences
        while sentences:
            say(sentences.pop(0))
# end


speak_all(["one", "two", "three"])
