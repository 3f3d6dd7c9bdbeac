"""Writes numbered frames as one animated WebP that begins again without a jump.

python movie.py FRAMES_FOLDER MOVIE.webp FRAMES_PER_SECOND
"""

import pathlib
import sys

from PIL import Image

# The movie's last frames turn into the frames before its first one.
FADE = 8
# Higher is larger and finer; 1.5 MB is the limit.
QUALITY = 70

folder, movie, per_second = sys.argv[1:]
frames = [Image.open(path).convert("RGB") for path in sorted(pathlib.Path(folder).glob("*.png"))]
lead, shown = frames[:FADE], frames[FADE:]
for place, frame in enumerate(lead, start=1):
    at = place - 1 - FADE
    shown[at] = Image.blend(shown[at], frame, place / (FADE + 1))
duration = round(1000 / int(per_second))
shown[0].save(
    movie, save_all=True, append_images=shown[1:], duration=duration, loop=0, quality=QUALITY, method=4
)
