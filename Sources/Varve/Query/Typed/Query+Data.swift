public import Foundation
import VarveCore

/// Data, or what may be such.
public protocol _QueryData: RealmCollectionValue {}
extension Data: _QueryData {}
extension AnyRealmValue: _QueryData {}
extension Optional: _QueryData where Wrapped == Data {}

extension Query where T: _QueryData {
  /// Begins with some bytes; none hold for none.
  public func starts(with prefix: Data) -> Query<Bool> { compare(.beginsWith, prefix) }

  /// Ends with some bytes; none hold for none.
  public func ends(with suffix: Data) -> Query<Bool> { compare(.endsWith, suffix) }

  /// Contains some bytes; none hold for none.
  public func contains(_ part: Data) -> Query<Bool> { compare(.contains, part) }

  /// Equal to some bytes, or to null.
  public func equals(_ other: Data?) -> Query<Bool> { compare(.equal, other) }

  /// Not equal to some bytes, or to null.
  public func notEquals(_ other: Data?) -> Query<Bool> { compare(.notEqual, other) }
}
