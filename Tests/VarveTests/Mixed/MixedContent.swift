import Foundation
import Varve

/// The content of a mixed value, in memory.
indirect enum MixedContent: Hashable {
  case none
  case scalar(String)
  case list([MixedContent])
  case dictionary([String: MixedContent])

  init(_ value: AnyRealmValue) {
    switch value {
    case .none: self = .none
    case .list(let list): self = .list(list.map { MixedContent($0) })
    case .dictionary(let map):
      self = .dictionary(
        Dictionary(map.map { ($0.key, MixedContent($0.value)) }, uniquingKeysWith: { $1 }))
    case .object(let object): self = .scalar("object \(object)")
    default: self = .scalar(value.scalarText)
    }
  }

  /// An unmanaged value with this content.
  var value: AnyRealmValue {
    switch self {
    case .none: .none
    case .scalar(let text): .string(text)
    case .list(let elements): .fromArray(elements.map(\.value))
    case .dictionary(let entries): .fromDictionary(entries.mapValues(\.value))
    }
  }

  /// The number of levels of nested collections.
  var depth: Int {
    switch self {
    case .none, .scalar: 0
    case .list(let elements): 1 + (elements.map(\.depth).max() ?? 0)
    case .dictionary(let entries): 1 + (entries.values.map(\.depth).max() ?? 0)
    }
  }
}

extension AnyRealmValue {
  /// The value with its type; a string unchanged.
  fileprivate var scalarText: String {
    switch self {
    case .string(let text): text
    case .int(let value): "int \(value)"
    case .bool(let value): "bool \(value)"
    case .float(let value): "float \(value)"
    case .double(let value): "double \(value)"
    default: "\(self)"
    }
  }
}
