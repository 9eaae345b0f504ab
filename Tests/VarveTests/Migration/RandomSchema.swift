import Synchronization
import Varve
import VarveCore
import VarveEncoding
import VarveTestSupport

/// A class of a random schema. Each class has the properties `tag`, an integer unique in the file,
/// and `code`, a string derived from it; either may be the primary key.
struct RandomClass {
  var name: String
  var properties: [RandomProperty]
  /// `tag`, `code`, or nil.
  var key: String?
}

/// The effect of a migration on a property.
enum RandomFate {
  case kept
  case renamed(from: String)
  case converted
  case replaced
  case added
}

struct RandomProperty {
  var name: String
  var kind: PropertyKind
  var target: String?
  var isIndexed = false
  /// The default value of objects created without one.
  var constant = Value.null
  var fate = RandomFate.added

  static let kinds: [PropertyKind] = [
    PropertyKind(type: .int64), PropertyKind(type: .double), PropertyKind(type: .string),
    PropertyKind(type: .data), PropertyKind(type: .bool),
    PropertyKind(type: .link, isNullable: true),
    PropertyKind(type: .int64, collection: .list), PropertyKind(type: .string, collection: .list),
    PropertyKind(type: .link, collection: .list),
    PropertyKind(type: .int64, collection: .dictionary),
    PropertyKind(type: .link, collection: .dictionary, isNullable: true),
    PropertyKind(type: .int64, collection: .set), PropertyKind(type: .link, collection: .set),
    PropertyKind(type: .decimal128), PropertyKind(type: .mixed),
  ]

  /// A property of a random type that links to one of the given classes.
  static func random(
    _ name: String, _ classes: [String], _ random: inout SeededRandom
  ) -> RandomProperty {
    var kind = random.pick(kinds)
    if !kind.type.mayLink, random.oneIn(3) { kind = kind.with(isNullable: true) }
    var property = RandomProperty(
      name: name, kind: kind, target: kind.type == .link ? random.pick(classes) : nil)
    property.setConstant(&random)
    property.isIndexed = property.isIndexable && random.oneIn(3)
    return property
  }

  var isIndexable: Bool { kind.collection == .none && kind.type.isIndexable }

  mutating func setConstant(_ random: inout SeededRandom) {
    constant = .null
    guard kind.collection == .none, !kind.isNullable else { return }
    constant = kind.type == .int64 ? .int(Int64(random.below(100))) : kind.type.zeroValue
  }
}

extension PropertyKind {
  func with(isNullable: Bool) -> PropertyKind {
    PropertyKind(type: type, collection: collection, isNullable: isNullable)
  }
}

/// The classes of one release of a random schema.
struct RandomSchema {
  var classes: [RandomClass]
  private var nextName = 0
  /// Classes that were renamed in this release.
  var renamedClasses: [(from: String, to: String)] = []

  init(_ random: inout SeededRandom) {
    classes = (0..<3).map { RandomClass(name: "R\($0)", properties: []) }
    for index in classes.indices { add(6, toClassAt: index, &random) }
    chooseKeys(&random)
  }

  private mutating func newName() -> String {
    nextName += 1
    return "p\(nextName)"
  }

  private mutating func add(_ count: Int, toClassAt index: Int, _ random: inout SeededRandom) {
    for _ in 0..<count {
      classes[index].properties.append(
        .random(newName(), classes.map(\.name), &random))
    }
  }

  private mutating func chooseKeys(_ random: inout SeededRandom) {
    for index in classes.indices { classes[index].key = random.pick([nil, "tag", "code"]) }
  }

  /// The next release: properties are kept, dropped, renamed, changed and added.
  func next(_ random: inout SeededRandom) -> RandomSchema {
    var next = self
    next.renamedClasses = []
    if random.oneIn(3) {
      let index = random.below(classes.count)
      let (old, new) = (classes[index].name, "R\(next.newName())")
      next.renamedClasses = [(old, new)]
      for other in next.classes.indices {
        if next.classes[other].name == old { next.classes[other].name = new }
        for number in next.classes[other].properties.indices
        where next.classes[other].properties[number].target == old {
          next.classes[other].properties[number].target = new
        }
      }
    }
    for index in next.classes.indices {
      let old = next.classes[index].properties
      next.classes[index].properties = []
      for property in old {
        guard let changed = next.changed(property, &random) else { continue }
        next.classes[index].properties.append(changed)
      }
      next.add(random.below(3), toClassAt: index, &random)
    }
    if random.chance(60) { next.chooseKeys(&random) }
    return next
  }

  private mutating func changed(
    _ old: RandomProperty, _ random: inout SeededRandom
  ) -> RandomProperty? {
    var property = old
    property.fate = .kept
    if property.isIndexable, random.oneIn(4) { property.isIndexed.toggle() }
    switch random.below(100) {
    case ..<12: return nil
    case ..<28:
      property.name = newName()
      property.fate = .renamed(from: old.name)
    case ..<40 where !old.kind.type.mayLink:
      property.kind = old.kind.with(isNullable: !old.kind.isNullable)
      property.setConstant(&random)
      property.fate = .converted
    case ..<52:
      property = .random(old.name, classes.map(\.name), &random)
      let isSame = property.kind == old.kind && property.target == old.target
      let isClose = property.kind.with(isNullable: true) == old.kind.with(isNullable: true)
      property.fate = isSame ? .kept : isClose && !old.kind.type.mayLink ? .converted : .replaced
    default: break
    }
    return property
  }

  private static let modelIndexes = Atomic<Int>(1_000_000)

  /// The classes in the form that the core reads.
  var models: [ClassDescription] {
    let all = Models()
    all.classes = classes.map { description(of: $0, all) }
    return all.classes
  }

  /// Filled once, before it is read.
  private final class Models: @unchecked Sendable { var classes: [ClassDescription] = [] }

  private func description(of random: RandomClass, _ all: Models) -> ClassDescription {
    let tags = [
      PropertyDescription(
        name: "tag", kind: PropertyKind(type: .int64), isPrimaryKey: random.key == "tag",
        addedConstant: .int(0)),
      PropertyDescription(
        name: "code", kind: PropertyKind(type: .string), isPrimaryKey: random.key == "code",
        addedConstant: .string("")),
    ]
    let others = random.properties.map { property in
      PropertyDescription(
        name: property.name, kind: property.kind, targetClassName: property.target,
        isIndexed: property.isIndexed, addedConstant: property.constant)
    }
    let targets = random.properties.compactMap(\.target)
    return ClassDescription(
      name: random.name, properties: tags + others, isEmbedded: false,
      modelIndex: Self.modelIndexes.add(1, ordering: .relaxed).newValue, isDynamic: true,
      linkedClasses: { all.classes.filter { targets.contains($0.name) } })
  }
}
