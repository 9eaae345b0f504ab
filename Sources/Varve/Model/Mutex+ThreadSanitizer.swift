#if VARVE_THREAD_SANITIZER
  import VarveCore

  /// The mutex that ThreadSanitizer can observe.
  typealias Mutex<Value> = VarveCore.Mutex<Value>
#endif
