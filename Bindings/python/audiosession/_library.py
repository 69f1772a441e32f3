"""Loads libaudiosession, and calls it."""

from __future__ import annotations

import ctypes
import os
import threading
from typing import Any, Callable, TypeVar

from . import _native as native

Object = TypeVar("Object", bound="LibraryObject")
Value = TypeVar("Value")


class AudioSessionError(Exception):
    """The error of a failed call. The text has what happened, why, and what to do."""

    def __init__(self, status: native.Status, message: str) -> None:
        super().__init__(message or status.name)
        self.status = status

    def __reduce__(self) -> tuple[Any, ...]:
        # The exception of a worker process is pickled. The default passes the text alone to __init__.
        return type(self), (self.status, str(self))


class Library:
    """The functions of libaudiosession. Without the library no function is called."""

    def __init__(self) -> None:
        # A signal handler may call the library on the thread that loads it.
        self._lock = threading.RLock()
        self._library: ctypes.CDLL | None = None
        self._is_loaded = False
        self.problem = ""

    def loaded(self) -> ctypes.CDLL | None:
        """The library, which the first call loads; ``None`` if it cannot be loaded."""
        # Later calls need no lock: a forked child would wait forever for one that another thread held.
        if not self._is_loaded:
            with self._lock:
                if not self._is_loaded:
                    self._load()
                    # Afterwards, so that the next call loads it if a KeyboardInterrupt ends this one.
                    self._is_loaded = True
        return self._library

    def _load(self) -> None:
        name = os.environ.get("AUDIOSESSION_LIBRARY") or "libaudiosession.so.1"
        try:
            library = ctypes.CDLL(name)
        except OSError as error:
            self.problem = (
                f"The program runs without audio sessions, because the library is not installed ({error}). Install "
                "libaudiosession, or set AUDIOSESSION_LIBRARY to its file.")
            return
        for function, (result, parameters) in native.FUNCTIONS.items():
            # An older library has fewer functions. Calls of the others have no effect.
            if hasattr(library, function):
                getattr(library, function).restype = result
                getattr(library, function).argtypes = parameters
        self._library = library

    def __call__(self, function: str, *arguments: Any) -> Any:
        """The result of a function; ``None`` without the library or the function."""
        found = getattr(self.loaded(), function, None)
        return None if found is None else found(*arguments)

    def check(self, function: str, *arguments: Any) -> None:
        """Calls a function whose last parameter is an error.

        :raises AudioSessionError: if it fails.
        """
        error = new(native.as_error)
        status = self(function, *arguments, ctypes.byref(error))
        if status:
            raise AudioSessionError(native.Status(status), error.message.decode(errors="replace"))

    def require(self, function: str, *arguments: Any) -> None:
        """Calls a function that fails without a message.

        :raises AudioSessionError: if it fails.
        """
        status = self(function, *arguments)
        if status:
            raise AudioSessionError(native.Status(status), f"{function} failed with {status_name(status)}.")


def new(struct: type[Any]) -> Any:
    """A struct that begins with its size."""
    return struct(size=ctypes.sizeof(struct))


def received(pointer: Any) -> Any:
    """A copy of a struct that the library passes. An older library's is smaller: missing members are 0."""
    value = type(pointer.contents)()
    ctypes.memmove(ctypes.byref(value), pointer, min(pointer.contents.size, ctypes.sizeof(value)))
    return value


def number(value: int) -> int:
    """A number for the library, as the nearest one of its type. One that is out of range is illegal there too.

    ctypes would pass its lower bits, which may be legal.
    """
    return max(-2**31, min(value, 2**31 - 1))


def text(value: bytes | None) -> str | None:
    """Decodes a string of the library."""
    return None if value is None else value.decode(errors="replace")


library = Library()


class Releasing(threading.Thread):
    """Releases an object where another thread may not wait for that. The end of the interpreter waits for it.

    It is a daemon, because the start of another thread takes a lock (until Python 3.12), which the code that the garbage
    collector interrupts may have.
    """

    def __init__(self, release: Callable[[], object]) -> None:
        super().__init__(target=release, daemon=True)


class LibraryObject:
    """An object of the library, which is closed at the end of a ``with``.

    Without the library it has no handle, and its calls have no effect.
    """

    #: The status of calls after :meth:`close`.
    _CLOSED = native.Status.CLOSED
    _handle: Any = None
    _is_closed = False
    #: The EventHub of the object.
    _hub: Any

    def _releaser(self) -> Callable[[], None]:
        """Takes the handle, and returns the function that releases it, which does not refer to the object."""
        raise NotImplementedError

    def close(self) -> None:
        """Releases the object. Closing twice has no effect."""
        self._releaser()()

    def __del__(self) -> None:
        if not self._handle:
            return
        release = self._releaser()
        if self._hub.has_handler:
            # The code that this interrupts may have locked what an observer needs, for which the release waits.
            try:
                return Releasing(release).start()
            except RuntimeError:
                pass  # No thread begins while the interpreter ends.
        release()

    def __reduce_ex__(self, protocol: Any) -> Any:
        # Also for the module copy: a copy would have the same handle, and release it when it is collected.
        raise TypeError(f"The {type(self).__name__} cannot be copied or pickled. Use the object itself, or make another one.")

    def __enter__(self: Object) -> Object:
        self._opened()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _opened(self) -> Any:
        """The handle; ``None`` without the library.

        :raises AudioSessionError: if the object was closed.
        """
        handle = self._handle
        if handle is None and self._is_closed:
            raise AudioSessionError(self._CLOSED, f"The {type(self).__name__} was closed. Make another one.")
        return handle

    def _obtain(self, make: Callable[[Any], None]) -> bool:
        """Makes the object in the library.

        A KeyboardInterrupt can end the call after the object was made. The handle is then known, and released with this.

        :param make: takes where the handle is written to.
        :returns: whether it was made; false without the library.
        """
        self._handle = ctypes.c_void_p()
        make(ctypes.byref(self._handle))
        if not self._handle:
            del self._handle
            return False
        return True

    def _take_handle(self) -> Any:
        """The handle, for :meth:`close` to release; ``None`` if there is none to release."""
        if self._handle is not None:
            self._is_closed = True
        return vars(self).pop("_handle", None)  # Atomic: two threads may close the object at once.

    def _check(self, function: str, *arguments: Any) -> None:
        """Calls a function of the object.

        :raises AudioSessionError: if it fails, and if the object was closed.
        """
        handle = self._opened()
        if handle is None:
            return
        try:
            library.check(function, handle, *arguments)
        except AudioSessionError as error:
            if error.status == native.Status.BAD_HANDLE:
                self._opened()  # Another thread may have closed the object meanwhile.
            raise

    def _check_within(self, function: str, limit: int) -> bool:
        """Calls a function that waits for at most ``limit`` milliseconds.

        :returns: false at the limit.
        """
        try:
            self._check(function, limit)
        except AudioSessionError as error:
            if error.status == native.Status.TIMED_OUT:
                return False
            raise
        return True

    def _end(self, function: str, *arguments: Any) -> None:
        """Calls a function that stops something. A closed object needs no call."""
        self._value(None, lambda handle: library.check(function, handle, *arguments))

    def _value(self, default: Value, read: Callable[[Any], Value]) -> Value:
        """Reads a value of the object.

        :param default: the result without the library, and for a closed object.
        :param read: takes the handle.
        """
        handle = self._handle
        if not handle:
            return default
        try:
            return read(handle)
        except AudioSessionError as error:
            # Another thread may have closed the object meanwhile.
            if error.status in (native.Status.BAD_HANDLE, self._CLOSED) and self._is_closed:
                return default
            raise


def is_available() -> bool:
    """Whether libaudiosession is installed. Without it no call of this package has an effect."""
    return library.loaded() is not None


def problem() -> str:
    """The reason why the library was not loaded, as a sentence; empty if it was."""
    library.loaded()
    return library.problem


def version() -> str:
    """The version of the library, such as ``0.9.0``; empty without it, and for one that is older than this function."""
    return text(library("as_version")) or ""


def abi_version() -> int:
    """The version of the library's binary interface; 0 without the library."""
    return int(library("as_abi_version") or 0)


def pipewire_version() -> str:
    """The version of PipeWire's library, such as ``1.4.2``; empty without libaudiosession."""
    return text(library("as_pipewire_version")) or ""


def status_name(status: int) -> str:
    """The name of a status in C, such as ``AS_ERROR_TIMED_OUT``; empty without the library."""
    return text(library("as_status_name", status)) or ""
