import Testing
import Varve
import VarveTestSupport

/// Random changes of a list, and the same changes of an array.
enum ListSteps {
  /// One change, or several adjacent changes, with reads anywhere in between.
  static func run<Element>(
    _ list: List<Element>, _ array: inout [Element], _ random: inout SeededRandom,
    _ make: (inout SeededRandom) -> Element
  ) {
    guard random.chance(15) else {
      change(list, &array, &random, make)
      return read(list, array, &random)
    }
    let index = random.below(array.count + 1)
    for _ in 0..<6 {
      changeNear(index, list, &array, &random, make)
      read(list, array, &random)
    }
  }

  /// Compares some elements of the list, by index, with the elements of the array.
  private static func read<Element>(
    _ list: List<Element>, _ array: [Element], _ random: inout SeededRandom
  ) {
    for _ in 0..<min(2, array.count) {
      let index = random.below(array.count)
      let found = list[index]
      if found != array[index] {
        Issue.record("\(found) at \(index) of \(array.count) for \(array[index]), \(random)")
      }
    }
  }

  private static func changeNear<Element>(
    _ near: Int, _ list: List<Element>, _ array: inout [Element], _ random: inout SeededRandom,
    _ make: (inout SeededRandom) -> Element
  ) {
    let index = min(near + random.below(3), array.count)
    if random.chance(50), index < array.count {
      list.remove(at: index)
      array.remove(at: index)
    } else if random.chance(40), index < array.count {
      let element = make(&random)
      list[index] = element
      array[index] = element
    } else {
      let element = make(&random)
      list.insert(element, at: index)
      array.insert(element, at: index)
    }
  }

  private static func change<Element>(
    _ list: List<Element>, _ array: inout [Element], _ random: inout SeededRandom,
    _ make: (inout SeededRandom) -> Element
  ) {
    let count = array.count
    switch random.below(count > 3_000 ? 20 : 14) {
    case 0, 1, 2:
      let element = make(&random)
      list.append(element)
      array.append(element)
    case 3:
      let elements = (0..<random.below(random.chance(10) ? 1_500 : 40)).map { _ in make(&random) }
      list.append(objectsIn: elements)
      array += elements
    case 4, 5:
      let element = make(&random)
      let index = random.below(count + 1)
      list.insert(element, at: index)
      array.insert(element, at: index)
    case 6:
      let elements = (0..<random.below(12)).map { _ in make(&random) }
      let index = random.below(count + 1)
      list.insert(contentsOf: elements, at: index)
      array.insert(contentsOf: elements, at: index)
    case 7 where count > 0:
      let index = random.below(count)
      let element = make(&random)
      list[index] = element
      array[index] = element
    case 8 where count > 0:
      let index = random.below(count)
      list.remove(at: index)
      array.remove(at: index)
    case 9 where count > 0:
      list.removeLast()
      array.removeLast()
    case 10 where count > 1:
      let source = random.below(count)
      let destination = random.below(count)
      list.move(from: source, to: destination)
      array.insert(array.remove(at: source), at: destination)
    case 11 where count > 1:
      let first = random.below(count)
      let second = random.below(count)
      list.swapAt(first, second)
      array.swapAt(first, second)
    case 12 where count > 0:
      let range = Self.range(count, &random)
      let elements = (0..<random.below(5)).map { _ in make(&random) }
      list.replaceSubrange(range, with: elements)
      array.replaceSubrange(range, with: elements)
    case 13...:
      if random.chance(4) {
        list.removeAll()
        array.removeAll()
      } else {
        let range = Self.range(count, &random)
        list.removeSubrange(range)
        array.removeSubrange(range)
      }
    default: break
    }
  }

  private static func range(_ count: Int, _ random: inout SeededRandom) -> Range<Int> {
    let start = random.below(count + 1)
    return start..<min(count, start + random.below(random.chance(10) ? count + 1 : 8))
  }
}
