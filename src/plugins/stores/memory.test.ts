// The memory store keeps its limits: counters are evicted, values are not.
import { describe, expect, it } from 'vitest'
import { memoryStore, StoreError } from './index.ts'

describe('the memory store', () => {
  it('has no more counters than allowed; the oldest begin again', () => {
    const store = memoryStore({ counters: 10 })
    for (let i = 0; i < 10; i++) void store.count(`key ${i}`, 60_000)
    expect(store.count('key 0', 60_000)).toMatchObject({ count: 2 })
    void store.count('one more', 60_000)
    expect(store.count('key 9', 60_000)).toMatchObject({ count: 2 })
    expect(store.count('key 0', 60_000)).toMatchObject({ count: 1 })
  })

  it('a counter that began again is the newest', () => {
    let now = 0
    const store = memoryStore({ counters: 3, now: () => now })
    void store.count('again', 1)
    void store.count('old', 100)
    now = 1
    void store.count('again', 100)
    void store.count('new', 100)
    void store.count('one more', 100)
    const counts = ['again', 'new'].map((key) => (store.count(key, 100) as { count: number }).count)
    expect([...counts, (store.count('old', 100) as { count: number }).count]).toEqual([2, 2, 1])
  })

  it('makes room of counters that have ended before any other gives way', () => {
    let now = 0
    const store = memoryStore({ counters: 3, now: () => now })
    void store.count('lasting', 60_000)
    void store.count('short', 1)
    void store.count('shorter', 1)
    now = 1
    void store.count('new', 60_000)
    expect(store.count('lasting', 60_000)).toMatchObject({ count: 2 })
  })

  it('takes no further value when it is full, and forgets none', () => {
    let now = 0
    const store = memoryStore({ values: 2, now: () => now })
    void store.set('a', '1', 60_000)
    void store.set('b', '2', 5)
    expect(() => store.set('c', '3', 60_000)).toThrow(StoreError)
    expect([store.get('a'), store.get('b')]).toEqual(['1', '2'])
    expect(store.set('a', 'changed', 60_000)).toBe(true)
    now = 5
    expect(store.get('b')).toBeUndefined()
    expect(store.set('c', '3', 60_000)).toBe(true)
    expect(store.delete('a')).toBe(true)
    expect(store.set('d', '4', 60_000)).toBe(true)
  })

  it('counts the characters of keys and values', () => {
    const store = memoryStore({ characters: 20 })
    void store.set('k', 'x'.repeat(10), 60_000)
    expect(() => store.set('l', 'x'.repeat(10), 60_000)).toThrow('The memory store is full')
    void store.set('k', 'x', 60_000)
    expect(store.set('l', 'x'.repeat(10), 60_000)).toBe(true)
  })

  it('refuses limits that are none', () => {
    expect(() => memoryStore({ values: 0 })).toThrow('memoryStore: values is 0: give a whole number from 1 on')
    expect(() => memoryStore({ entries: 5 } as never)).toThrow('there is no such setting')
  })
})
