from __future__ import annotations

from rule_tables import MemoryResolver, make_source, marked_lines
from tables import for_each

from devpulse.core.categories import Confidence
from devpulse.core.rules import run_rules

# Routes of today's frameworks with lines that are told beside such that are not.
EXAMPLES = [
    ("laravel", "src/x.php", r"""<?php
namespace App\Http\Controllers;
class X extends Controller {
  public function a(Request $request) {
    return DB::select("select * from t where a = '" . $request->input('a') . "'"); // BAD
  }
  public function a2(Request $request) {
    return DB::select("select * from t where a = ?", [$request->input('a')]);
  }
  public function a3(Request $request) {
    return User::whereRaw("name = '{$request->name}'")->get(); // BAD
  }
  public function a4(Request $request) {
    return User::whereRaw("name = ?", [$request->name])->get();
  }
  public function a5(Request $request) {
    return User::orderByRaw($request->query('sort'))->get(); // BAD
  }
  public function a6(Request $request) {
    return User::orderBy($request->query('sort'))->get();
  }
  public function b(Request $request) {
    return redirect($request->input('to')); // BAD
  }
  public function b2(Request $request) {
    return redirect()->to($request->input('to')); // BAD
  }
  public function b3(Request $request) {
    return redirect()->away($request->query('to')); // BAD
  }
  public function b4(Request $request) {
    return redirect()->route('home', ['q' => $request->query('to')]);
  }
  public function b5(Request $request) {
    return Redirect::to(request('to')); // BAD
  }
  public function c(Request $request) {
    return response()->download(storage_path('files/' . $request->input('f'))); // BAD
  }
  public function c2(Request $request) {
    return response()->download(storage_path('files/' . basename($request->input('f'))));
  }
  public function c3(Request $request) {
  }
  public function c4(Request $request) {
    return response()->file(public_path($request->query('f'))); // BAD
  }
  public function d(Request $request) {
    return Http::get($request->input('u'))->body(); // BAD
  }
  public function d2(Request $request) {
    return file_get_contents($request->input('u')); // BAD
  }
  public function e(Request $request) {
    return response("<h1>" . $request->input('n') . "</h1>"); // BAD
  }
  public function e2(Request $request) {
    return response("<h1>" . e($request->input('n')) . "</h1>");
  }
  public function e3(Request $request) {
    return view('x', ['n' => $request->input('n')]);
  }
  public function e4(Request $request) {
    return new HtmlString("<b>" . $request->n . "</b>"); // BAD
  }
  public function f(Request $request) {
    Process::run("convert " . $request->input('f')); // BAD
    Process::run(["convert", $request->input('f')]);
    exec("convert " . escapeshellarg($request->input('f')));
  }
  public function g(Request $request) {
    return unserialize($request->cookie('x')); // BAD
  }
  public function g2(Request $request) {
    return unserialize($request->cookie('x'), ['allowed_classes' => false]);
  }
  public function h(Request $request) {
    $request->file('f')->storeAs('up', $request->file('f')->hashName());
  }
  public function i(Request $request) {
    return Blade::render($request->input('t')); // BAD
  }
  public function j(Request $request) {
    User::create($request->all());
    return DB::table($request->input('t'))->get();
  }
}
"""),
    ("symfony", "src/x.php", """<?php
class X extends AbstractController {
  #[Route('/a')]
  public function a(Request $request, Connection $conn): Response {
    $rows = $conn->fetchAllAssociative("select * from t where a = '" . $request->query->get('a') . "'"); // BAD
    $rows = $conn->fetchAllAssociative("select * from t where a = ?", [$request->query->get('a')]);
    $rows = $conn->executeQuery("select * from t where a = " . $conn->quote($request->query->get('a')));
    return new Response("<p>" . $request->query->get('n') . "</p>"); // BAD
  }
  public function a2(Request $request): Response {
    return new Response("<p>" . htmlspecialchars($request->query->get('n')) . "</p>");
  }
  public function b(Request $request): Response {
    return $this->redirect($request->query->get('to')); // BAD
  }
  public function b2(Request $request): Response {
    return new RedirectResponse($request->get('to')); // BAD
  }
  public function b3(Request $request): Response {
    return $this->redirectToRoute('home', ['q' => $request->query->get('to')]);
  }
  public function c(Request $request): Response {
    return new BinaryFileResponse('/data/' . $request->query->get('f')); // BAD
  }
  public function c2(Request $request): Response {
    return $this->file('/data/' . $request->query->get('f')); // BAD
  }
  public function d(Request $request, HttpClientInterface $client): Response {
    $client->request('GET', $request->query->get('u')); // BAD
    $client->request('GET', 'https://api.example.com/', ['query' => ['q' => $request->query->get('u')]]);
    return new JsonResponse([]);
  }
  public function e(Request $request): Response {
    $qb = $this->em->createQuery("select u from User u where u.name = '" . $request->request->get('n') . "'"); // BAD
    $qb = $this->em->createQueryBuilder()->select('u')->where("u.name = '" . $request->request->get('n') . "'"); // BAD
    $qb = $this->em->createQueryBuilder()->where("u.name = :n")->setParameter('n', $request->get('n'));
    return new JsonResponse([]);
  }
  public function f(Request $request): Response {
    $p = Process::fromShellCommandline("ls " . $request->query->get('d')); // BAD
    $p = new Process(['ls', $request->query->get('d')]);
    return new JsonResponse([]);
  }
  public function g(Request $request, Environment $twig): Response {
    return new Response($twig->createTemplate($request->query->get('t'))->render()); // BAD
  }
  public function h(Request $request): Response {
    $file = $request->files->get('f');
    return new JsonResponse([]);
  }
}
"""),
    ("slim", "src/x.php", """<?php
$app->get('/a', function (Request $request, Response $response, array $args) {
  $n = $request->getQueryParams()['n'];
  $response->getBody()->write("<p>" . $n . "</p>"); // BAD
  $response->getBody()->write("<p>" . htmlspecialchars($n) . "</p>");
  return $response;
});
$app->get('/b', function ($request, $response, $args) {
  return $response->withHeader('Location', $request->getQueryParams()['to'])->withStatus(302); // BAD
});
$app->get('/c/{f}', function ($request, $response, $args) {
  $response->getBody()->write(file_get_contents('/data/' . $args['f'])); // BAD
  return $response;
});
$app->post('/d', function ($request, $response) {
  $body = $request->getParsedBody();
  $pdo->query("select * from t where a = '" . $body['a'] . "'"); // BAD
  $st = $pdo->prepare("select * from t where a = ?");
  $st->execute([$body['a']]);
  return $response;
});
"""),
    ("codeigniter", "src/x.php", """<?php
class X extends BaseController {
  public function a() {
    $n = $this->request->getGet('n');
    $this->db->query("select * from t where a = '$n'"); // BAD
    $this->db->query("select * from t where a = ?", [$n]);
    $this->db->where("a = '$n'"); // BAD
    $this->db->where('a', $n);
    echo "<p>$n</p>"; // BAD
    echo "<p>" . esc($n) . "</p>";
    return redirect()->to($this->request->getPost('to')); // BAD
  }
  public function b() {
    $n = $this->input->post('n');
    $this->db->query("select * from t where a = '" . $n . "'"); // BAD
    $this->db->query("select * from t where a = " . $this->db->escape($n));
    redirect($this->input->get('to')); // BAD
    force_download('/data/' . $n, NULL); // BAD
  }
}
"""),
    ("plain", "src/x.php", """<?php
$id = $_GET['id'];
mysqli_query($c, "select * from t where id = $id"); // BAD
mysqli_query($c, "select * from t where id = " . (int)$id);
mysqli_query($c, "select * from t where id = " . intval($id));
$pdo->query("select * from t where n = " . $pdo->quote($id));
include "pages/" . $_GET['p'] . ".php"; // BAD
include "pages/" . basename($_GET['p']) . ".php";
echo "<p>" . $_GET['n'] . "</p>"; // BAD
echo "<p>" . htmlspecialchars($_GET['n'], ENT_QUOTES) . "</p>";
echo "<a href='" . strip_tags($_GET['n']) . "'>x</a>"; // BAD
echo "<b>" . strip_tags($_GET['n']) . "</b>";
printf("<p>%s</p>", $_POST['n']); // BAD
printf("<p>%d</p>", $_POST['n']);
print("<p>{$_COOKIE['n']}</p>"); // BAD
eval($_POST['c']); // BAD
assert($_POST['c']); // BAD
call_user_func($_GET['f'], 1); // BAD
call_user_func_array([$this, 'do_' . $_GET['f']], []);
move_uploaded_file($_FILES['f']['tmp_name'], 'up/' . $_FILES['f']['name']); // BAD
move_uploaded_file($_FILES['f']['tmp_name'], 'up/' . md5(rand()) . '.png');
unlink('up/' . $_POST['f']); // BAD
$x = simplexml_load_string($_POST['x'], 'SimpleXMLElement', LIBXML_NOENT); // BAD
ldap_search($l, 'ou=x', "(uid=" . $_GET['u'] . ")"); // BAD
ldap_search($l, 'ou=x', "(uid=" . ldap_escape($_GET['u'], '', LDAP_ESCAPE_FILTER) . ")");
curl_setopt($ch, CURLOPT_URL, $_GET['u']); // BAD
$ch = curl_init("https://api.example.com/?q=" . urlencode($_GET['u']));
mail('a@b.c', 'x', 'y', 'From: ' . $_POST['from']);
passthru('ping ' . $_GET['h']); // BAD
`ping {$_GET['h']}`; // BAD
popen('ping ' . escapeshellarg($_GET['h']), 'r');
"""),
]  # fmt: skip


@for_each(EXAMPLES, lambda row: row[0])
def test_run_rules__tells_the_marked_lines_alone(row: tuple[str, str, str]):
    _, path, code = row
    hits = run_rules(make_source(code, path=path), MemoryResolver())
    posted = {hit.start_line for hit in hits if hit.confidence is not Confidence.LOW}
    assert sorted(posted) == marked_lines(code)
