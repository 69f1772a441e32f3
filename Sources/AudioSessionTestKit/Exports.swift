// Programs use dumps and line assemblers together with the fakes and cards, so one import provides
// both modules.
@_exported public import AudioSessionText
