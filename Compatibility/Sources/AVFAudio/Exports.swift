// As on iOS, where one import brings notifications, URLs and errors along.
@_exported public import Foundation
