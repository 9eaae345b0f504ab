import VarveCore
import VarveEncoding

/// A string, an optional string or a value of any type.
public protocol _QueryString: RealmCollectionValue {}
extension String: _QueryString {}
extension AnyRealmValue: _QueryString {}
extension Optional: _QueryString where Wrapped == String {}

// Strings are compared by their UTF-8 bytes, or according to the options. Null, and a value of any
// type that is not a string, match only `equals(nil)` and `notEquals`.

extension Query where T: _QueryString {
  /// Whether the string begins with a prefix. An empty prefix matches nothing.
  public func starts(with prefix: String, options: StringOptions = []) -> Query<Bool> {
    compare(.beginsWith, .constant(.value(.string(prefix))), folding: options.folding)
  }

  /// Whether the string begins with a prefix, optionally ignoring case. See
  /// ``starts(with:options:)-(String,_)``.
  public func starts(with prefix: String, caseInsensitive: Bool) -> Query<Bool> {
    starts(with: prefix, options: StringOptions(caseInsensitive: caseInsensitive))
  }

  /// Whether the string begins with the value of another property. See
  /// ``starts(with:options:)-(String,_)``.
  public func starts<U: _QueryString>(
    with prefix: Query<U>, options: StringOptions = []
  ) -> Query<Bool> {
    compare(.beginsWith, prefix, folding: options.folding)
  }

  /// Whether the string ends with a suffix. An empty suffix matches nothing.
  public func ends(with suffix: String, options: StringOptions = []) -> Query<Bool> {
    compare(.endsWith, .constant(.value(.string(suffix))), folding: options.folding)
  }

  /// Whether the string ends with a suffix, optionally ignoring case. See
  /// ``ends(with:options:)-(String,_)``.
  public func ends(with suffix: String, caseInsensitive: Bool) -> Query<Bool> {
    ends(with: suffix, options: StringOptions(caseInsensitive: caseInsensitive))
  }

  /// Whether the string ends with the value of another property. See
  /// ``ends(with:options:)-(String,_)``.
  public func ends<U: _QueryString>(
    with suffix: Query<U>, options: StringOptions = []
  ) -> Query<Bool> {
    compare(.endsWith, suffix, folding: options.folding)
  }

  /// Whether the string contains another string. An empty string matches nothing.
  public func contains(_ part: String, options: StringOptions = []) -> Query<Bool> {
    compare(.contains, .constant(.value(.string(part))), folding: options.folding)
  }

  /// Whether the string contains another string, optionally ignoring case. See
  /// ``contains(_:options:)-(String,_)``.
  public func contains(_ part: String, caseInsensitive: Bool) -> Query<Bool> {
    contains(part, options: StringOptions(caseInsensitive: caseInsensitive))
  }

  /// Whether the string contains the value of another property. See
  /// ``contains(_:options:)-(String,_)``.
  public func contains<U: _QueryString>(
    _ part: Query<U>, options: StringOptions = []
  ) -> Query<Bool> {
    compare(.contains, part, folding: options.folding)
  }

  /// Whether the string is equal to another string, or null is equal to nil.
  public func equals(_ other: String?, options: StringOptions = []) -> Query<Bool> {
    compare(.equal, .constant(.value(other.map { .string($0) } ?? .null)), folding: options.folding)
  }

  /// Whether the string is equal to another string, optionally ignoring case. See
  /// ``equals(_:options:)-(String?,_)``.
  public func equals(_ other: String?, caseInsensitive: Bool) -> Query<Bool> {
    equals(other, options: StringOptions(caseInsensitive: caseInsensitive))
  }

  /// Whether the string is equal to the value of another property. See
  /// ``equals(_:options:)-(String?,_)``.
  public func equals<U: _QueryString>(
    _ other: Query<U>, options: StringOptions = []
  ) -> Query<Bool> {
    compare(.equal, other, folding: options.folding)
  }

  /// Whether the string differs from another string, or from nil.
  public func notEquals(_ other: String?, options: StringOptions = []) -> Query<Bool> {
    compare(
      .notEqual, .constant(.value(other.map { .string($0) } ?? .null)), folding: options.folding)
  }

  /// Whether the string differs from another string, optionally ignoring case. See
  /// ``notEquals(_:options:)-(String?,_)``.
  public func notEquals(_ other: String?, caseInsensitive: Bool) -> Query<Bool> {
    notEquals(other, options: StringOptions(caseInsensitive: caseInsensitive))
  }

  /// Whether the string differs from the value of another property. See
  /// ``notEquals(_:options:)-(String?,_)``.
  public func notEquals<U: _QueryString>(
    _ other: Query<U>, options: StringOptions = []
  ) -> Query<Bool> {
    compare(.notEqual, other, folding: options.folding)
  }
}
