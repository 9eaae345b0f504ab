import CVarve

/// The classes with `@Model` that are compiled into the program, whether it has used them or not.
///
/// The macro puts a function into a section of the object file, which the linker joins with those of other files
/// (SE-0492): nothing runs when the program starts. Classes in a library that is loaded while it runs are not among them.
enum CompiledClasses {
  /// The classes by their names. Of several with one name there is none: a file could mean any of them.
  static let byName: [String: ObjectBase.Type] = {
    var classes: [String: ObjectBase.Type?] = [:]
    for index in 0..<varve_model_count() {
      // Safe because the functions are those that ``_$modelReference(_:)`` is called by.
      let type = unsafeBitCast(varve_model_at(index), to: ObjectBase.Type.self)
      let name = String(describing: type)
      classes.updateValue(classes[name] == nil ? type : nil, forKey: name)
    }
    return classes.compactMapValues(\.self)
  }()
}

/// A class as what ``Model()`` puts into the section of the program's classes.
public func _$modelReference(_ type: ObjectBase.Type) -> UnsafeRawPointer {
  unsafeBitCast(type, to: UnsafeRawPointer.self)
}

extension Realm {
  /// Whether all classes of the program belong to the realm: its configuration names none.
  var hasCompiledClasses: Bool {
    let configuration = configuration
    return configuration.objectTypes == nil && !configuration.isDynamic
  }
}
