// As on iOS, one import provides URLs and numbers.
@_exported public import Foundation
