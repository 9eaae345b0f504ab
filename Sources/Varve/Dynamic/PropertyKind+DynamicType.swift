import Foundation
import VarveEncoding

extension PropertyKind {
  /// The Swift type of a stored property. The type of objects is ``DynamicObject``.
  var dynamicType: any _Persistable.Type {
    switch type {
    case .bool: scalar(Bool.self)
    case .int8: scalar(Int8.self)
    case .int16: scalar(Int16.self)
    case .int32: scalar(Int32.self)
    case .int64: scalar(Int.self)
    case .float: scalar(Float.self)
    case .double: scalar(Double.self)
    case .string: scalar(String.self)
    case .data: scalar(Data.self)
    case .date: scalar(Date.self)
    case .uuid: scalar(UUID.self)
    case .objectId: scalar(ObjectId.self)
    case .decimal128: scalar(Decimal128.self)
    case .mixed: mixedType
    case .link: linkType
    }
  }

  private var linkType: any _Persistable.Type {
    switch collection {
    case .none: DynamicObject?.self
    case .list: List<DynamicObject>.self
    case .dictionary: Map<String, DynamicObject?>.self
    case .set: MutableSet<DynamicObject>.self
    }
  }

  private var mixedType: any _Persistable.Type {
    switch collection {
    case .none: AnyRealmValue.self
    case .list: List<AnyRealmValue>.self
    case .dictionary: Map<String, AnyRealmValue>.self
    case .set: MutableSet<AnyRealmValue>.self
    }
  }

  private func scalar<S: _Scalar>(_ type: S.Type) -> any _Persistable.Type {
    switch (collection, isNullable) {
    case (.none, false): S.self
    case (.none, true): S?.self
    case (.list, false): List<S>.self
    case (.list, true): List<S?>.self
    case (.dictionary, false): Map<String, S>.self
    case (.dictionary, true): Map<String, S?>.self
    case (.set, false): MutableSet<S>.self
    case (.set, true): MutableSet<S?>.self
    }
  }
}
