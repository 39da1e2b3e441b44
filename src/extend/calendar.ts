// Days and minutes, as a module of its own: a bundler makes an object of a module that is exported as one, and front ends need none.
export * from '../util/calendar.ts'
