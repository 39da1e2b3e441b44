// NestJS on Fastify with class-validator, its decorators applied by hand because plain JavaScript has none. Like most of
// its applications it declares no schemas for responses.
import 'reflect-metadata'
import { Body, Controller, Get, HttpCode, Module, Param, ParseIntPipe, Post, ValidationPipe } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { IsInt, IsOptional, IsString, Length, Min } from 'class-validator'
import { answering } from '../answering.js'
import { answerOf, pathOf, RESOURCES, ROUTES, takesPayload } from '../routes.js'

const controllers = Array.from({ length: RESOURCES }, (_, a) => {
  class Things {}
  for (let b = 0; b < ROUTES; b++) addRoute(Things.prototype, a, b)
  Controller()(Things)
  return Things
})

function addRoute(prototype, a, b) {
  const name = `part${b}`
  prototype[name] = (id, part, body) => answerOf(id, part, body)
  Param('id', ParseIntPipe)(prototype, name, 0)
  Param('part', ParseIntPipe)(prototype, name, 1)
  const types = [Number, Number]
  if (takesPayload(a, b)) {
    Body()(prototype, name, 2)
    types.push(payloadClass())
  }
  Reflect.defineMetadata('design:paramtypes', types, prototype, name)
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name)
  const verb = takesPayload(a, b) ? Post : Get
  verb(pathOf(a, b))(prototype, name, descriptor)
  HttpCode(200)(prototype, name, descriptor)
}

function payloadClass() {
  class Payload {}
  const { prototype } = Payload
  Reflect.defineMetadata('design:type', String, prototype, 'name')
  Reflect.defineMetadata('design:type', Number, prototype, 'count')
  IsString()(prototype, 'name')
  Length(1, 100)(prototype, 'name')
  IsOptional()(prototype, 'count')
  IsInt()(prototype, 'count')
  Min(0)(prototype, 'count')
  return Payload
}

class Root {}
Module({ controllers })(Root)
const app = await NestFactory.create(Root, new FastifyAdapter(), { logger: false })
app.useGlobalPipes(new ValidationPipe({ transform: true }))
await app.listen(0, '127.0.0.1')
answering(app.getHttpServer().address().port)
