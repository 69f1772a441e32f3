// As on iOS, one import provides notifications, URLs and errors.
@_exported public import Foundation
