import VarveCore
import VarveEncoding

/// Finding elements.
extension List {
  /// The place of the first element that is equal to another.
  ///
  /// Elements are equal when `==` of their type says so, in an unmanaged, a managed and a frozen list
  /// as in an array: a NaN is equal to nothing, -0.0 to 0.0, and a string to the same text in another
  /// Unicode form. A condition of `where` compares as the database does instead, which keeps such
  /// strings apart and finds a NaN.
  ///
  /// Objects are equal when they stand for one stored object, at whatever versions, or are the same
  /// unmanaged one; an object of another store is not in the list, though it may have the same primary
  /// key.
  ///
  /// - Parameter element: the other.
  /// - Returns: nil when there is none.
  /// - Complexity: O(n).
  public func index(of element: Element) -> Int? {
    guard let object = element as? Object else { return firstIndex { $0 == element } }
    if cell.isTied { return cell.firstIndex(of: object.cell) }
    return firstIndex { ($0 as? Object)?.isSameRow(as: object) ?? false }
  }

  /// The place of the first element that is equal to another; see ``index(of:)``.
  ///
  /// - Parameter element: the other.
  /// - Returns: nil when there is none.
  /// - Complexity: O(n).
  public func firstIndex(of element: Element) -> Int? { index(of: element) }

  /// Whether an element is equal to another; see ``index(of:)``.
  ///
  /// - Parameter element: the other.
  /// - Returns: whether there is one.
  /// - Complexity: O(n).
  public func contains(_ element: Element) -> Bool { index(of: element) != nil }
}
