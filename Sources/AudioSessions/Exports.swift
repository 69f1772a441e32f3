// The values of the core are the vocabulary of this module's API: one import is to be enough.
@_exported public import AudioSessionCore
