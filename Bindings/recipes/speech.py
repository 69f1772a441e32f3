"""A program around the recipe for rendered speech in Docs/Integrating.md: it says half a second at each line of input."""

import array
import math

# recipe
from audiosession import OutputStream, Session

voice = OutputStream(Session.duck(), sample_rate=24_000, channels=1)


def say(chunks):
    with voice.session:  # other programs are ducked in this block
        voice.start()
        for chunk in chunks:  # bytes, arrays, or numpy's arrays
            voice.write(chunk)
        voice.drain()
        voice.stop()
# end


tone = array.array("f", (math.sin(place / 10) / 4 for place in range(2_400)))
print("ready", flush=True)
while True:
    try:
        input()
    except EOFError:
        break
    say([tone] * 5)
    print("said", voice.info.position, "frames", flush=True)
