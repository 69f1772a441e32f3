"""A program around the recipe for voice assistants in Docs/Integrating.md: it receives and answers one question."""


def speak(text: str) -> None:
    print("speaks:", text, flush=True)
    input()


def answer(question: str) -> str:
    return f"{question} is answered"


# recipe
from audiosession import Session

ducking = Session.duck()


def on_wake_word(question):
    with ducking:  # other programs are ducked in this block
        speak(answer(question))
# end


on_wake_word("the question")
