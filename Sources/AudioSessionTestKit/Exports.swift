// Programs name dumps and lines of text along with the fakes and cards that use them: one import is to be enough.
@_exported public import AudioSessionText
