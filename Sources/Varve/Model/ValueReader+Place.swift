import VarveCore
import VarveEncoding

extension ValueReader {
  /// Where a value goes: its type, and the names for errors.
  struct Place {
    let className: String
    let propertyName: String
    let type: _PropertyType
    let isInverse: Bool

    init(_ className: String, _ property: PropertyDescriptor) {
      self.init(className, property.name, property.type, isInverse: property.originProperty != nil)
    }

    init(
      _ className: String, _ propertyName: String, _ type: _PropertyType, isInverse: Bool = false
    ) {
      self.className = className
      self.propertyName = propertyName
      self.type = type
      self.isInverse = isInverse
    }

    func failure(
      _ code: Failure.Code, _ message: String, _ value: String?
    ) -> Failure {
      Failure(code, message, className: className, propertyName: propertyName, value: value)
    }

    func mismatch(_ part: Any) -> Failure {
      failure(
        .typeMismatch, "The value is of another type than the property.",
        "\(ValueReader.text(of: part)) of type \(Swift.type(of: part))")
    }
  }
}

extension Failure {
  /// A name that a class does not have.
  static func unknownProperty(
    _ name: String, _ className: String, value: String? = nil
  ) -> Failure {
    Failure(
      .unknownProperty, "The class has no such property.", className: className,
      propertyName: name, value: value)
  }
}
