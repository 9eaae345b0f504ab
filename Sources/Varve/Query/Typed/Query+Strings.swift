import VarveCore
import VarveEncoding

/// A string, or what may be one.
public protocol _QueryString: RealmCollectionValue {}
extension String: _QueryString {}
extension AnyRealmValue: _QueryString {}
extension Optional: _QueryString where Wrapped == String {}

// Strings are compared by their UTF-8 bytes, or as options say. Null satisfies none of these but `equals(nil)` and
// `notEquals`; neither does a value of any type that is no string.

extension Query where T: _QueryString {
  /// Begins with a string; an empty one holds for none.
  public func starts(with prefix: String, options: StringOptions = []) -> Query<Bool> {
    compare(.beginsWith, .constant(.value(.string(prefix))), folding: options.folding)
  }

  /// As ``starts(with:options:)-(String,_)``.
  public func starts(with prefix: String, caseInsensitive: Bool) -> Query<Bool> {
    starts(with: prefix, options: StringOptions(caseInsensitive: caseInsensitive))
  }

  /// As ``starts(with:options:)-(String,_)``, with another property.
  public func starts<U: _QueryString>(
    with prefix: Query<U>, options: StringOptions = []
  ) -> Query<Bool> {
    compare(.beginsWith, prefix, folding: options.folding)
  }

  /// Ends with a string; an empty one holds for none.
  public func ends(with suffix: String, options: StringOptions = []) -> Query<Bool> {
    compare(.endsWith, .constant(.value(.string(suffix))), folding: options.folding)
  }

  /// As ``ends(with:options:)-(String,_)``.
  public func ends(with suffix: String, caseInsensitive: Bool) -> Query<Bool> {
    ends(with: suffix, options: StringOptions(caseInsensitive: caseInsensitive))
  }

  /// As ``ends(with:options:)-(String,_)``, with another property.
  public func ends<U: _QueryString>(
    with suffix: Query<U>, options: StringOptions = []
  ) -> Query<Bool> {
    compare(.endsWith, suffix, folding: options.folding)
  }

  /// Contains a string; an empty one holds for none.
  public func contains(_ part: String, options: StringOptions = []) -> Query<Bool> {
    compare(.contains, .constant(.value(.string(part))), folding: options.folding)
  }

  /// As ``contains(_:options:)-(String,_)``.
  public func contains(_ part: String, caseInsensitive: Bool) -> Query<Bool> {
    contains(part, options: StringOptions(caseInsensitive: caseInsensitive))
  }

  /// As ``contains(_:options:)-(String,_)``, with another property.
  public func contains<U: _QueryString>(
    _ part: Query<U>, options: StringOptions = []
  ) -> Query<Bool> {
    compare(.contains, part, folding: options.folding)
  }

  /// Equal to a string, or to null.
  public func equals(_ other: String?, options: StringOptions = []) -> Query<Bool> {
    compare(.equal, .constant(.value(other.map { .string($0) } ?? .null)), folding: options.folding)
  }

  /// As ``equals(_:options:)-(String?,_)``.
  public func equals(_ other: String?, caseInsensitive: Bool) -> Query<Bool> {
    equals(other, options: StringOptions(caseInsensitive: caseInsensitive))
  }

  /// As ``equals(_:options:)-(String?,_)``, with another property.
  public func equals<U: _QueryString>(
    _ other: Query<U>, options: StringOptions = []
  ) -> Query<Bool> {
    compare(.equal, other, folding: options.folding)
  }

  /// Not equal to a string, or to null.
  public func notEquals(_ other: String?, options: StringOptions = []) -> Query<Bool> {
    compare(
      .notEqual, .constant(.value(other.map { .string($0) } ?? .null)), folding: options.folding)
  }

  /// As ``notEquals(_:options:)-(String?,_)``.
  public func notEquals(_ other: String?, caseInsensitive: Bool) -> Query<Bool> {
    notEquals(other, options: StringOptions(caseInsensitive: caseInsensitive))
  }

  /// As ``notEquals(_:options:)-(String?,_)``, with another property.
  public func notEquals<U: _QueryString>(
    _ other: Query<U>, options: StringOptions = []
  ) -> Query<Bool> {
    compare(.notEqual, other, folding: options.folding)
  }
}
