import VarveCore
import VarveEncoding

/// The differences that queries ignore when they compare strings.
///
/// ```swift
/// people.where { $0.name.starts(with: "é", options: [.caseInsensitive, .diacriticInsensitive]) }
/// ```
public struct StringOptions: OptionSet, Sendable, Hashable {
  /// The bits of the options.
  public let rawValue: Int

  /// Creates options from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Ignores case, using Unicode case folding.
  public static let caseInsensitive = StringOptions(rawValue: 1)
  /// Ignores accents and other diacritics.
  public static let diacriticInsensitive = StringOptions(rawValue: 2)

  init(caseInsensitive: Bool) { self = caseInsensitive ? .caseInsensitive : [] }

  var folding: TextFolding {
    var folding: TextFolding = .exact
    if contains(.caseInsensitive) { folding.insert(.caseless) }
    if contains(.diacriticInsensitive) { folding.insert(.diacriticless) }
    return folding
  }
}
