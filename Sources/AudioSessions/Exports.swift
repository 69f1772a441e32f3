// The public API uses the core's values, so one import gives both.
@_exported public import AudioSessionCore
