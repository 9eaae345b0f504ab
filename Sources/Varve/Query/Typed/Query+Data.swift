public import Foundation
import VarveCore

/// Data, optional data or a value of any type.
public protocol _QueryData: RealmCollectionValue {}
extension Data: _QueryData {}
extension AnyRealmValue: _QueryData {}
extension Optional: _QueryData where Wrapped == Data {}

extension Query where T: _QueryData {
  /// Whether the data begins with a prefix. An empty prefix matches nothing.
  public func starts(with prefix: Data) -> Query<Bool> { compare(.beginsWith, prefix) }

  /// Whether the data ends with a suffix. An empty suffix matches nothing.
  public func ends(with suffix: Data) -> Query<Bool> { compare(.endsWith, suffix) }

  /// Whether the data contains a sequence of bytes. An empty sequence matches nothing.
  public func contains(_ part: Data) -> Query<Bool> { compare(.contains, part) }

  /// Whether the data is equal to other data, or null is equal to nil.
  public func equals(_ other: Data?) -> Query<Bool> { compare(.equal, other) }

  /// Whether the data differs from other data, or from nil.
  public func notEquals(_ other: Data?) -> Query<Bool> { compare(.notEqual, other) }
}
