import VarveCore
import VarveEncoding

/// What does not matter when queries compare strings.
///
/// ```swift
/// people.where { $0.name.starts(with: "é", options: [.caseInsensitive, .diacriticInsensitive]) }
/// ```
///
/// Thread safety: a value.
public struct StringOptions: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: Int

  /// Options by their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Upper and lower case, as Unicode folds them.
  public static let caseInsensitive = StringOptions(rawValue: 1)
  /// Accents and other marks.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)

  init(caseInsensitive: Bool) { self = caseInsensitive ? .caseInsensitive : [] }

  var folding: TextFolding {
    var folding: TextFolding = []
    if contains(.caseInsensitive) { folding.insert(.caseless) }
    if contains(.diacriticInsensitive) { folding.insert(.diacriticless) }
    return folding
  }
}
