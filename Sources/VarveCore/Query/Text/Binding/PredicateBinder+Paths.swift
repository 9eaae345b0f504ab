import VarveEncoding

extension PredicateBinder {
  /// Binds a path.
  ///
  /// - Throws: An error for a name that its class lacks, or for a component that does not apply to
  ///   the previous one.
  func operand(_ path: TextPredicate.Path) throws(TextPredicateError) -> BoundOperand {
    let root = try root(of: path)
    var walk = PathWalk(path, root)
    do throws(TextPredicateError) {
      for component in path.components { try walk.take(component) }
      let operand = try walk.operand()
      if let quantifier = path.quantifier, !operand.isMany {
        throw operand.error(
          "A quantifier takes a path with many values, through a collection.",
          at: quantifier.position)
      }
      return operand
    } catch {
      var error = error
      error.className = error.className ?? className
      error.propertyName = error.propertyName ?? path.text
      throw error
    }
  }

  /// Finds the object or value at which a path begins.
  private func root(of path: TextPredicate.Path) throws(TextPredicateError) -> Root {
    guard let name = path.variable else {
      guard variables.isEmpty else {
        throw TextPredicateError(
          message:
            "In a SUBQUERY, a path must begin with its variable: \(variables.last?.name ?? "")",
          position: path.position, className: className, propertyName: path.text)
      }
      return root
    }
    if let variable = variables.last, variable.name == name { return variable.root }
    let isOuter = variables.contains { $0.name == name }
    throw TextPredicateError(
      message: isOuter
        ? "A nested SUBQUERY can only use its own variable."
        : "No enclosing SUBQUERY declares this variable.",
      position: path.position, className: className, propertyName: path.text)
  }
}

/// Binds the components of a path.
private struct PathWalk {
  private enum End {
    case object(ClassDescription)
    case value(PropertyKind)
    /// A whole collection.
    case collection(PropertyKind, ClassDescription?)
  }

  private let path: TextPredicate.Path
  private var end: End
  private var steps: [QueryPath.Step] = []
  private var function: QueryAggregate.Function?
  private var functionPosition = 0
  /// The names of a pending `@links` component, or nil if there is none.
  private var links: [String]?
  /// The last property that was named, and its class.
  private var className: String?
  private var propertyName: String?
  private var position: Int

  init(_ path: TextPredicate.Path, _ root: PredicateBinder.Root) {
    self.path = path
    position = path.position
    switch root {
    case .objects(let model):
      end = .object(model)
      className = model.name
    case .values(let kind): end = .value(kind)
    }
  }

  private func error(_ message: String) -> TextPredicateError {
    TextPredicateError(
      message: message, position: position, className: className, propertyName: propertyName)
  }

  mutating func take(_ component: TextPredicate.Path.Component) throws(TextPredicateError) {
    position = component.position
    if function == .count { throw error("Nothing can follow @count.") }
    if var links, case .name(let name) = component.step {
      links.append(name)
      self.links = links
      if links.count == 2 { try takeLinks(links[0], links[1]) }
      return
    }
    guard links == nil else { throw error(Self.linksForm) }
    switch component.step {
    case .name(let name): try takeName(name)
    case .word(let word): try takeWord(word)
    case .size: try takeFunction(.count)
    case .each, .index, .key, .first, .last: try takeBrackets(component.step)
    }
  }

  private static let linksForm = "Backlinks are written as @links.Class.property."

  /// Whether the last step may yield no object.
  private var mayBeNull: Bool {
    switch steps.last {
    case .property, .key, .element: true
    default: false
    }
  }

  /// The operand that the path yields.
  func operand() throws(TextPredicateError) -> BoundOperand {
    guard links == nil else { throw error(Self.linksForm) }
    var operand = BoundOperand(
      expression: .path(QueryPath(steps)), kind: PropertyKind(type: .link), target: nil,
      quantifier: path.quantifier, position: path.position, className: className,
      propertyName: propertyName ?? path.text)
    switch end {
    case .object(let model):
      operand.target = model
      operand.kind = PropertyKind(type: .link, isNullable: mayBeNull)
    case .value(let kind):
      operand.kind = PropertyKind(type: kind.type, isNullable: kind.isNullable)
    case .collection(let kind, let target):
      operand.kind = PropertyKind(type: kind.type, isNullable: kind.isNullable)
      operand.target = target
      operand.isCollection = true
      operand.expression = .path(QueryPath(steps + [.elements]))
    }
    return try function.map { (function) throws(TextPredicateError) in
      try aggregate(function, operand)
    } ?? operand
  }

  private func aggregate(
    _ function: QueryAggregate.Function, _ values: BoundOperand
  ) throws(TextPredicateError) -> BoundOperand {
    var operand = values
    operand.isCollection = false
    operand.target = nil
    guard case .path(var path) = values.expression else { return operand }
    // Whether a mixed value contains a collection is only known when it is read.
    if function == .count, values.type == .mixed, !values.isCollection,
      path.steps.last != .elements
    {
      path = path.appending(.elements)
    }
    guard path.isMany else {
      throw values.error("\(function.rawValue) takes a collection.", at: functionPosition)
    }
    let type = values.type
    let isSupported =
      switch function {
      case .count: true
      case .min, .max: type.mayBeNumber || type == .date
      case .sum, .average: type.mayBeNumber
      }
    guard isSupported else {
      throw values.error(
        "\(function.rawValue) does not support the type \(values.typeName).", at: functionPosition)
    }
    operand.expression = .aggregate(QueryAggregate(function, path))
    operand.kind =
      switch function {
      case .count: PropertyKind(type: .int64)
      case .min, .max: PropertyKind(type: type, isNullable: true)
      case .sum: PropertyKind(type: type.isInteger ? .int64 : type == .float ? .double : type)
      case .average:
        PropertyKind(
          type: type == .decimal128 || type == .mixed ? type : .double, isNullable: true)
      }
    return operand
  }

  /// Enters the elements of a whole collection.
  private mutating func enter() {
    guard case .collection(let kind, let target) = end else { return }
    steps.append(.elements)
    end = target.map { .object($0) } ?? .value(element(kind))
  }

  private func element(_ kind: PropertyKind) -> PropertyKind {
    PropertyKind(type: kind.type, isNullable: kind.isNullable)
  }

  private mutating func takeName(_ name: String) throws(TextPredicateError) {
    enter()
    guard case .object(let model) = end else {
      propertyName = path.text
      throw error(
        path.components.isEmpty || steps.isEmpty
          ? "Values have no properties; use SELF."
          : "The path continues after a property that is not a link.")
    }
    className = model.name
    propertyName = name
    let slot = try slot(name, model)
    let property = model.properties[slot]
    propertyName = property.alias
    let target = property.kind.type == .link ? model.targetClass(of: property) : nil
    steps.append(.property(property.alias))
    if !property.isStored {
      guard target != nil else { throw error("The class of the linking objects is unknown.") }
      end = .collection(PropertyKind(type: .link, collection: .set), target)
    } else if property.kind.collection != .none {
      end = .collection(property.kind, target)
    } else if property.kind.type == .link {
      guard let target else { throw error("The class of the linked objects is unknown.") }
      end = .object(target)
    } else {
      end = .value(property.kind)
    }
  }

  private func slot(_ name: String, _ model: ClassDescription) throws(TextPredicateError) -> Int {
    do throws(Failure) {
      return try model.slot(named: name)
    } catch {
      var unknown = self.error(
        name.isEmpty ? "The name of a property is empty." : error.message)
      let names = model.properties.map(\.alias).joined(separator: ", ")
      unknown.details = ["properties: \(names)"]
      unknown.token = name
      unknown.isOfName = true
      throw unknown
    }
  }

  private mutating func takeWord(_ word: String) throws(TextPredicateError) {
    switch word.lowercased() {
    case "@links":
      enter()
      guard case .object = end else { throw error("Only objects have backlinks.") }
      links = []
    case "@count", "@size": try takeFunction(.count)
    case "@sum": try takeFunction(.sum)
    case "@avg": try takeFunction(.average)
    case "@min": try takeFunction(.min)
    case "@max": try takeFunction(.max)
    case "@keys", "@allkeys": try takeKeys()
    case "@values", "@allvalues":
      guard case .collection(let kind, _) = end, kind.collection == .dictionary else {
        throw error("\(word) takes a dictionary.")
      }
    // The path still ends in the whole dictionary, which stands for its values.
    case "@type":
      enter()
      guard case .value(let kind) = end, kind.type == .mixed else {
        throw error("\(word) takes a value of any type.")
      }
      steps.append(.type)
      end = .value(PropertyKind(type: .string))
    default:
      throw error(
        "Only @count @size @sum @avg @min @max @keys @values @type and @links are supported.")
    }
  }

  private mutating func takeFunction(
    _ function: QueryAggregate.Function
  ) throws(TextPredicateError) {
    guard self.function == nil else {
      throw error("A path can have at most one aggregate function.")
    }
    self.function = function
    functionPosition = position
  }

  private mutating func takeKeys() throws(TextPredicateError) {
    switch end {
    case .collection(let kind, _) where kind.collection == .dictionary: break
    case .value(let kind) where kind.type == .mixed: break
    case .object, .value, .collection: throw error("Only dictionaries have keys.")
    }
    steps.append(.keys)
    end = .value(PropertyKind(type: .string))
  }

  private mutating func takeLinks(
    _ className: String, _ property: String
  ) throws(TextPredicateError) {
    links = nil
    guard case .object(let model) = end else { return }
    guard let origin = model.linkingClass(named: className) else {
      throw error("The class \(className) is unknown.")
    }
    self.className = origin.name
    propertyName = property
    let slot = try slot(property, origin)
    let link = origin.properties[slot]
    guard link.isLink, link.targetClassName == model.name else {
      throw error("The property does not link to the class \(model.name).")
    }
    steps.append(.links(className: origin.name, property: link.alias))
    end = .object(origin)
  }

  private mutating func takeBrackets(
    _ step: TextPredicate.Path.Step
  ) throws(TextPredicateError) {
    if case .each = step, case .collection = end { return enter() }
    let kind: PropertyKind
    var target: ClassDescription?
    switch end {
    case .collection(let collection, let linked): (kind, target) = (collection, linked)
    case .value(let value) where value.type == .mixed: kind = value
    case .value, .object: throw error("Brackets require a collection.")
    }
    let isMixed = kind.collection == .none
    switch step {
    case .key(let key):
      guard kind.collection == .dictionary || isMixed else {
        throw error("Only dictionaries have keys.")
      }
      steps.append(.key(key))
    case .index(let index):
      guard let index = Int(exactly: index) else { throw error("The index is out of range.") }
      steps.append(.element(.index(index)))
    case .first: steps.append(.element(.first))
    case .last: steps.append(.element(.last))
    default: steps.append(.elements)
    }
    if case .element = steps.last, kind.collection != .list, !isMixed {
      throw error("Only lists have indexes.")
    }
    // An element that does not exist reads as null.
    end = target.map { .object($0) } ?? .value(PropertyKind(type: kind.type, isNullable: true))
  }
}
