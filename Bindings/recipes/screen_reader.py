"""A program around the recipe for screen readers in Docs/Integrating.md: it speaks three sentences."""


def say(sentence: str) -> None:
    print("says:", sentence, flush=True)
    input()


# recipe
from audiosession import Session

speech = Session.duck()


def speak_all(sentences):
    with speech:  # around all sentences, so that music stays ducked between them
        while sentences:
            say(sentences.pop(0))
# end


speak_all(["one", "two", "three"])
