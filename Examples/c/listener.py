"""The same as listener.c in Python, with nothing but ctypes.

    python3 listener.py NAME [SOCKET]

The library is the file that AUDIOSESSION_LIBRARY names, else the one that the loader finds, else the one that pkg-config
finds: set PKG_CONFIG_PATH for a library outside the system's folders.
"""
import ctypes
import os
import subprocess
import sys
from ctypes import POINTER, byref, c_bool, c_char, c_char_p, c_float, c_int32, c_uint32, c_uint64, c_void_p

NAME = "libaudiosession.so.1"


def load():
    named = os.environ.get("AUDIOSESSION_LIBRARY")
    if named:
        return ctypes.CDLL(named)
    try:
        return ctypes.CDLL(NAME)
    except OSError:
        pass
    try:
        asked = subprocess.run(["pkg-config", "--variable=libdir", "audiosession"], capture_output=True, text=True)
        return ctypes.CDLL(os.path.join(asked.stdout.strip(), NAME))
    except OSError:
        sys.exit(f"{NAME} was not found: install it with Scripts/install, and set PKG_CONFIG_PATH to its lib/pkgconfig, "
                 "or AUDIOSESSION_LIBRARY to the file")


library = load()
OK, PLAYBACK = 0, 2
BEGAN, ENDED, NOISY = 2, 3, 5


class Error(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("status", c_uint32), ("os_status", c_int32), ("reserved", c_uint32),
                ("message", c_char * 496)]


class ManagerOptions(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("timeout", c_uint32), ("remote", c_char_p), ("application_name", c_char_p),
                ("waits_for_pipewire", c_bool)]


class Configuration(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("category", c_uint32), ("mode", c_uint32), ("options", c_uint32),
                ("policy", c_uint32), ("priority", c_uint32), ("group", c_char_p)]


class Port(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("type", c_uint32), ("direction", c_uint32), ("is_uncertain", c_bool),
                ("name", c_char_p), ("uid", c_char_p)]


class Event(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("type", c_uint32), ("time", c_uint64), ("dropped", c_uint32), ("state", c_uint32),
                ("reason", c_uint32), ("cause_pid", c_int32), ("gain", c_float), ("volume", c_float),
                ("should_resume", c_bool), ("should_be_silent", c_bool), ("is_muted", c_bool),
                ("cause_name", c_char_p), ("port", POINTER(Port)), ("previous_route", c_void_p),
                ("current_route", c_void_p)]


Handler = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Event), c_void_p)
# Handles are pointers: without this ctypes would truncate them to an int.
library.as_manager_close.argtypes = [c_void_p]
library.as_session_create.argtypes = [c_void_p, c_void_p, c_void_p, c_void_p]
library.as_session_destroy.argtypes = [c_void_p]
library.as_session_set_handler.argtypes = [c_void_p, Handler, c_void_p]
library.as_session_activate.argtypes = [c_void_p, c_void_p]
library.as_session_deactivate.argtypes = [c_void_p, c_bool, c_void_p]


def clean(name):
    """Names come from other programs and from devices, and a terminal obeys control characters."""
    return "".join(character if character.isprintable() else "?" for character in name.decode())


def call(function, *arguments):
    error = Error(ctypes.sizeof(Error))
    if function(*arguments, byref(error)) != OK:
        raise OSError(clean(error.message))


@Handler  # kept for as long as the session may call it
def on_event(session, event, user_data):
    event = event.contents
    if event.type == BEGAN:
        print("interrupted by", clean(event.cause_name or b"another program"), flush=True)
    elif event.type == ENDED:
        print("may resume" if event.should_resume else "stays silent", flush=True)
    elif event.type == NOISY:
        print("paused:", clean(event.port.contents.name), "is gone", flush=True)


def main(name="listener.py", remote=None):
    manager, session = c_void_p(), c_void_p()
    options = ManagerOptions(ctypes.sizeof(ManagerOptions), 0, remote and remote.encode(), name.encode(), False)
    configuration = Configuration(ctypes.sizeof(Configuration), PLAYBACK)
    call(library.as_manager_open, byref(options), byref(manager))
    call(library.as_session_create, manager, byref(configuration), byref(session))
    library.as_session_set_handler(session, on_event, None)
    print("ready", flush=True)
    for line in sys.stdin:
        try:
            if line == "activate\n":
                call(library.as_session_activate, session)
            elif line == "deactivate\n":
                call(library.as_session_deactivate, session, True)
            elif line == "silently\n":
                call(library.as_session_deactivate, session, False)
            print("done", flush=True)
        except OSError as error:
            print(error, flush=True)
    library.as_session_destroy(session)
    library.as_manager_close(manager)


main(*sys.argv[1:])
