import CVarve

/// The classes with `@Model` that are compiled into the program, whether it has used them or not.
///
/// The macro puts a function into a section of the object file, which the linker joins with the
/// sections of other object files (SE-0492). No code runs when the program starts. Classes in a
/// library that is loaded at run time are not included.
enum CompiledClasses {
  /// The classes by name. A name shared by several classes is omitted, because a file could refer
  /// to any of them.
  static let byName: [String: ObjectBase.Type] = {
    var classes: [String: ObjectBase.Type?] = [:]
    for index in 0..<varve_model_count() {
      // Safe because the functions were converted by ``_$modelReference(_:)``.
      let type = unsafeBitCast(varve_model_at(index), to: ObjectBase.Type.self)
      let name = String(describing: type)
      classes.updateValue(classes[name] == nil ? type : nil, forKey: name)
    }
    return classes.compactMapValues(\.self)
  }()
}

/// Converts a class to the form that ``Model()`` puts into the section of the program's classes.
///
/// An integer, because code that is checked for strict memory safety may not name a pointer.
public func _$modelReference(_ type: ObjectBase.Type) -> UInt {
  unsafeBitCast(type, to: UInt.self)
}

extension Realm {
  /// Whether the realm contains all classes of the program, because its configuration lists none.
  var hasCompiledClasses: Bool {
    let configuration = configuration
    return configuration.objectTypes == nil && !configuration.isDynamic
  }
}
