import express from 'express';
import jwt from 'jsonwebtoken';
import { announce, answer, claims, headers, secret } from './given.mjs';

// https://expressjs.com/en/guide/using-middleware.html, https://github.com/auth0/node-jsonwebtoken#usage

const data = JSON.parse(answer.body);
const app = express();
app.disable('x-powered-by');
app.use((request, response, next) => {
  try {
    request.user = jwt.verify(request.headers.authorization?.split(' ')[1], secret);
    next();
  } catch {
    response.status(401).json({ error: { code: 'UNAUTHORIZED', message: 'A valid bearer token is required' } });
  }
});
app.get('/candidate', (_request, response) => {
  response.set(headers).json(data);
});

const server = app.listen(0, '127.0.0.1', () => announce(server.address(), jwt.sign(claims, secret)));
