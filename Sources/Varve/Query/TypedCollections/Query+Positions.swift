import VarveCore

/// A property whose values have positions.
public protocol _QueryList: _QueryCollection {}
extension List: _QueryList {}

extension Query where T: _QueryList {
  /// The element at a position; null where there is none.
  ///
  /// - Precondition: the position is not negative.
  public subscript(position: Int) -> Query<T._$Item?> { element(at: position) }

  /// The first element; null where there is none.
  public var first: Query<T._$Item?> { appending([.element(.first)]) }

  /// The last element; null where there is none.
  public var last: Query<T._$Item?> { appending([.element(.last)]) }
}

extension Query where T: _QueryList, T._$Item: _QueryNullable {
  /// The element at a position; null where there is none.
  ///
  /// - Precondition: the position is not negative.
  public subscript(position: Int) -> Query<T._$Item> { element(at: position) }

  /// The first element; null where there is none.
  public var first: Query<T._$Item> { appending([.element(.first)]) }

  /// The last element; null where there is none.
  public var last: Query<T._$Item> { appending([.element(.last)]) }
}

extension Query {
  func element<V>(at position: Int) -> Query<V> {
    guard position >= 0 else {
      QueryMisuse.trap("\(position) is no position in '\(path)': they begin with 0.")
    }
    return appending([.element(.index(position))])
  }
}
