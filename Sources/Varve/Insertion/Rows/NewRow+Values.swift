public import Foundation
import VarveCore
import VarveEncoding

/// The values of a row. Called by generated code.
///
/// The types that most properties have are written without a type-erased form.
extension _NewRow {
  /// Puts the value of a property.
  public mutating func _$put(_ slot: Int, _ value: Int) { put(slot, Int64(value)) }

  /// Puts the value of a property.
  public mutating func _$put(_ slot: Int, _ value: Int8) { put(slot, Int64(value)) }

  /// Puts the value of a property.
  public mutating func _$put(_ slot: Int, _ value: Int16) { put(slot, Int64(value)) }

  /// Puts the value of a property.
  public mutating func _$put(_ slot: Int, _ value: Int32) { put(slot, Int64(value)) }

  /// Puts the value of a property.
  public mutating func _$put(_ slot: Int, _ value: Int64) { put(slot, value) }

  @inline(__always)
  private mutating func put(_ slot: Int, _ value: Int64) {
    put(slot, .int(value)) { transaction, field in
      switch field.pointee.plainType {
      case .int64:
        transaction.fill(field, value)
        return true
      case .int8, .int16, .int32: return transaction.tryFill(field, narrow: value)
      default: return false
      }
    }
  }

  /// Puts the value of a property.
  public mutating func _$put(_ slot: Int, _ value: Double) {
    put(slot, .double(value)) { transaction, field in
      guard field.pointee.plainType == .double else { return false }
      transaction.fill(field, value)
      return true
    }
  }

  /// Puts the value of a property.
  public mutating func _$put(_ slot: Int, _ value: Date) {
    put(slot, .date(value)) { transaction, field in
      guard field.pointee.plainType == .date else { return false }
      transaction.fill(field, value)
      return true
    }
  }

  /// Puts the value of a property.
  public mutating func _$put(_ slot: Int, _ value: Bool) {
    put(slot, .bool(value)) { transaction, field in
      guard field.pointee.plainType == .bool else { return false }
      transaction.fill(field, value)
      return true
    }
  }

  /// Puts the value of a property.
  public mutating func _$put(_ slot: Int, _ value: String) {
    put(slot, .string(value)) { transaction, field in
      field.pointee.plainType == .string && transaction.tryFill(field, value)
    }
  }

  /// Puts the value of a property.
  public mutating func _$put(_ slot: Int, _ value: Int?) {
    if let value { _$put(slot, value) } else { put(slot, box: .null) }
  }

  /// Puts the value of a property.
  public mutating func _$put(_ slot: Int, _ value: Double?) {
    if let value { _$put(slot, value) } else { put(slot, box: .null) }
  }

  /// Puts the value of a property.
  public mutating func _$put(_ slot: Int, _ value: Date?) {
    if let value { _$put(slot, value) } else { put(slot, box: .null) }
  }

  /// Puts the value of a property.
  public mutating func _$put(_ slot: Int, _ value: String?) {
    if let value { _$put(slot, value) } else { put(slot, box: .null) }
  }

  /// Puts the value of a property in its type-erased form.
  public mutating func _$put(_ slot: Int, _ box: _Boxed) { put(slot, box: box) }

  /// Puts the value of a property.
  @inlinable
  public mutating func _$put<V: _Persistable>(_ slot: Int, _ value: V) {
    _$put(slot, value._$boxed)
  }

  /// Accepts a value that cannot be stored, whose property reports the error.
  @_disfavoredOverload
  public mutating func _$put<V>(_ slot: Int, _ value: V) {}

  // Specialized for the most frequent types: generic code looks up type metadata for each element.

  /// Puts the elements of a list.
  @_specialize(where Element == Int)
  @_specialize(where Element == String)
  @_specialize(where Element == Double)
  public mutating func _$putList<Element: RealmCollectionValue>(
    _ slot: Int, _ elements: [Element]
  ) {
    collecting?.setList(slot, elements)
  }

  /// Puts the elements of a set.
  @_specialize(where Element == Int)
  @_specialize(where Element == String)
  @_specialize(where Element == Double)
  public mutating func _$putSet<Element: RealmCollectionValue>(
    _ slot: Int, _ elements: Set<Element>
  ) {
    collecting?.setSet(slot, elements)
  }

  /// Puts the entries of a map.
  @_specialize(where Key == String, Value == Int)
  @_specialize(where Key == String, Value == String)
  @_specialize(where Key == String, Value == Double)
  public mutating func _$putMap<Key: _MapKey, Value: RealmCollectionValue>(
    _ slot: Int, _ entries: [Key: Value]
  ) {
    collecting?.setMap(slot, entries)
  }
}
