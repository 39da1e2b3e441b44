// The side of NestJS in docs/migrating/nestjs.md: it is compiled, not run.
// #region nestjs

import type { CanActivate, ExecutionContext } from '@nestjs/common'
import {
  Body,
  Controller,
  Get,
  Injectable,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  UseGuards,
} from '@nestjs/common'
import { IsInt, IsString, Max, MaxLength, Min } from 'class-validator'

class CreateReview {
  @IsString()
  @MaxLength(500)
  text!: string

  @IsInt()
  @Min(1)
  @Max(5)
  stars!: number
}

@Injectable()
class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest().headers.authorization === 'Bearer ada'
  }
}

@Injectable()
export class ReviewService {
  readonly reviews = new Map([[1, { id: 1, text: 'Witty.', stars: 5 }]])
}

@Controller('reviews')
@UseGuards(TokenGuard)
export class ReviewController {
  constructor(private readonly service: ReviewService) {}

  @Get(':id')
  show(@Param('id', ParseIntPipe) id: number) {
    const review = this.service.reviews.get(id)
    if (review === undefined) throw new NotFoundException(`There is no review ${id}.`)
    return review
  }

  @Post()
  create(@Body() { text, stars }: CreateReview) {
    const id = this.service.reviews.size + 1
    this.service.reviews.set(id, { id, text, stars })
    return { id, text, stars }
  }
}
// #endregion
