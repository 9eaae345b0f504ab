import VarveCore

/// A property that is a list.
public protocol _QueryList: _QueryCollection {}
extension List: _QueryList {}

extension Query where T: _QueryList {
  /// The element at an index; null when the index is out of bounds.
  ///
  /// - Precondition: The index is not negative.
  public subscript(position: Int) -> Query<T._$Item?> { element(at: position) }

  /// The first element; null when the list is empty.
  public var first: Query<T._$Item?> { appending([.element(.first)]) }

  /// The last element; null when the list is empty.
  public var last: Query<T._$Item?> { appending([.element(.last)]) }
}

extension Query where T: _QueryList, T._$Item: _QueryNullable {
  /// The element at an index; null when the index is out of bounds.
  ///
  /// - Precondition: The index is not negative.
  public subscript(position: Int) -> Query<T._$Item> { element(at: position) }

  /// The first element; null when the list is empty.
  public var first: Query<T._$Item> { appending([.element(.first)]) }

  /// The last element; null when the list is empty.
  public var last: Query<T._$Item> { appending([.element(.last)]) }
}

extension Query {
  func element<V>(at position: Int) -> Query<V> {
    guard position >= 0 else {
      Misuse.trap("\(position) is not an index of '\(path)': indexes begin with 0.")
    }
    return appending([.element(.index(position))])
  }
}
